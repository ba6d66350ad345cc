package other.action.move.remove;

import game.types.board.SiteType;
import other.context.Context;

public record ActionRemove(int site) {
    public static ActionRemove construct(SiteType type, int site, int level, boolean applied) {
        return new ActionRemove(site);
    }

    public void apply(Context context, boolean store) {
        String[] stacks = context.state().containerStates()[0].stacks;
        stacks[site] = stacks[site].substring(0, stacks[site].length() - 1);
    }
}
