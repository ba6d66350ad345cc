package other.state.container;

import game.types.board.SiteType;

/** The stacks of a board as texts of 1 and 2, the lowest stone first. */
public final class ContainerState {
    public final String[] stacks;

    public ContainerState(String[] stacks) {
        this.stacks = stacks;
    }

    public int what(int site, SiteType type) {
        return stacks[site].isEmpty() ? 0 : who(site, stacks[site].length() - 1, type);
    }

    public int who(int site, int level, SiteType type) {
        return stacks[site].charAt(level) - '0';
    }

    public int sizeStack(int site, SiteType type) {
        return stacks[site].length();
    }
}
