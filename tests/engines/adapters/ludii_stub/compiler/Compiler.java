package compiler;

import game.Game;
import main.grammar.Description;
import main.grammar.Report;
import main.options.UserSelections;

public final class Compiler {
    public static Object compile(Description description, UserSelections options, Report report, boolean verbose) {
        return new Game(7);
    }
}
