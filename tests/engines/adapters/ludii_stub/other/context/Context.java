package other.context;

import game.Game;
import java.util.Arrays;
import other.move.Move;
import other.state.State;
import other.state.container.ContainerState;
import other.trial.Trial;

public final class Context {
    private final Game game;
    private final Trial trial;
    private final ContainerState board;
    private final State state;
    private int part;
    private int marked = -1;

    public Context(Game game, Trial trial) {
        this.game = game;
        this.trial = trial;
        String[] stacks = new String[game.size() * game.size()];
        Arrays.fill(stacks, "");
        board = new ContainerState(stacks);
        state = new State(board);
    }

    public Context(Context other) {
        game = other.game;
        trial = new Trial(game);
        trial.count(other.trial.numMoves());
        board = new ContainerState(other.board.stacks.clone());
        state = new State(board);
        state.setMover(other.state.mover());
        part = other.part;
        marked = other.marked;
    }

    public Game game() {
        return game;
    }

    public Trial trial() {
        return trial;
    }

    public State state() {
        return state;
    }

    public Component[] components() {
        return new Component[] {null, new Component("Disc1"), new Component("Disc2")};
    }

    public record Component(String name) { }

    public int part() {
        return part;
    }

    public int marked() {
        return marked;
    }

    public int who(int site) {
        return board.what(site, null);
    }

    public boolean holds(int site, int side) {
        return board.stacks[site].contains("" + side);
    }

    public void play(Move move) {
        boolean placing = trial.numMoves() < 2;
        trial.count(trial.numMoves() + 1);
        if (!placing && part == 0) {
            marked = move.from();
        } else {
            board.stacks[move.to()] += state.mover();
        }
        part = placing ? 0 : (part + 1) % 3;
        if (part == 0) {
            if (!placing) {
                board.stacks[marked] = board.stacks[marked].substring(0, board.stacks[marked].length() - 1);
            }
            state.setMover(3 - state.mover());
        }
    }
}
