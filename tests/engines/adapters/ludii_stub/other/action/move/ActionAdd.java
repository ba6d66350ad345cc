package other.action.move;

import game.types.board.SiteType;
import other.context.Context;

public record ActionAdd(
    SiteType type, int to, int what, int count, int state, int rotation, int value, Boolean onStacking) {
    public void apply(Context context, boolean store) {
        context.state().containerStates()[0].stacks[to] += what;
    }
}
