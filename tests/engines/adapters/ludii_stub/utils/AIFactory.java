package utils;

import other.AI;

public final class AIFactory {
    public static AI createAI(String name) {
        return new AI(name);
    }
}
