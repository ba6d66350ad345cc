package game;

import java.util.ArrayList;
import java.util.List;
import other.context.Context;
import other.move.Move;

/** A stand-in for Ludii's Callanish: the same steps of a turn, and a game that never ends. */
public final class Game {
    private final int size;

    public Game(int size) {
        this.size = size;
    }

    public int size() {
        return size;
    }

    public void start(Context context) { }

    /** The moves in the way Ludii hands them out. */
    public record Moves(List<Move> moves) { }

    public Moves moves(Context context) {
        int number = context.trial().numMoves();
        List<Move> found = new ArrayList<>();
        for (int site = 0; site < size * size; site++) {
            if (number < 2 && context.who(site) == 0) {
                found.add(new Move(-1, site));
            } else if (number >= 2 && context.part() == 0 && context.who(site) == context.state().mover()
                && targets(context, site).size() >= 2) {
                found.add(new Move(site, site));
            }
        }
        if (number >= 2 && context.part() > 0) {
            for (int site : targets(context, context.marked())) {
                found.add(new Move(-1, site));
            }
        }
        return new Moves(found);
    }

    private List<Integer> targets(Context context, int from) {
        List<Integer> found = new ArrayList<>();
        for (int site = 0; site < size * size; site++) {
            int files = Math.abs(site % size - from % size);
            int ranks = Math.abs(site / size - from / size);
            if (files * ranks == 2 && !context.holds(site, context.state().mover())) {
                found.add(site);
            }
        }
        return found;
    }

    public Move apply(Context context, Move move) {
        context.play(move);
        return move;
    }
}
