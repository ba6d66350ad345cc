package other.trial;

import game.Game;

public final class Trial {
    private final Game game;
    int moves;

    public Trial(Game game) {
        this.game = game;
    }

    public Game game() {
        return game;
    }

    public int numMoves() {
        return moves;
    }

    public void count(int number) {
        moves = number;
    }

    public int numInitialPlacementMoves() {
        return 0;
    }

    public boolean over() {
        return false;
    }

    public Status status() {
        return null;
    }

    public void clearLegalMoves() { }

    public static final class Status {
        public int winner() {
            return 0;
        }
    }
}
