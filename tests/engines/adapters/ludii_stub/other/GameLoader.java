package other;

import game.Game;
import java.util.List;

public final class GameLoader {
    public static Game loadGameFromName(String name, List<String> options) {
        String size = options.get(0).replaceFirst(".*/(\\d+)x.*", "$1");
        return new Game(size.matches("\\d+") ? Integer.parseInt(size) : 9);
    }
}
