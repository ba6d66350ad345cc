package other.state;

import other.state.container.ContainerState;

public final class State {
    private final ContainerState board;
    private int mover = 1;

    public State(ContainerState board) {
        this.board = board;
    }

    public int mover() {
        return mover;
    }

    public void setMover(int side) {
        mover = side;
    }

    public void setNext(int side) { }

    public void setPrev(int side) { }

    public ContainerState[] containerStates() {
        return new ContainerState[] {board};
    }
}
