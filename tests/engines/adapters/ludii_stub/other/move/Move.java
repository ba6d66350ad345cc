package other.move;

public record Move(int from, int to) {
    public boolean isPass() {
        return false;
    }
}
