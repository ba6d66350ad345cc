package other;

import game.Game;
import java.util.List;
import other.context.Context;
import other.move.Move;

/** An AI that takes the last move. One called UCT thinks until it is interrupted, MC-GRAVE does not end at all. */
public final class AI {
    private final String name;
    private volatile boolean interrupted;

    public AI(String name) {
        this.name = name;
    }

    public void initAI(Game game, int player) { }

    public void setWantsInterrupt(boolean wanted) {
        interrupted = wanted;
    }

    public Move selectAction(Game game, Context context, double seconds, int iterations, int depth) {
        boolean warm = seconds > 0.29 && seconds < 0.31;
        while (!warm && (name.equals("UCT") && !interrupted || name.equals("MC-GRAVE"))) {
            Thread.onSpinWait();
        }
        List<Move> moves = game.moves(context).moves();
        return moves.get(moves.size() - 1);
    }

    public double estimateValue() {
        return 0.25;
    }

    public String generateAnalysisReport() {
        return name + " completed search of depth 3.";
    }
}
