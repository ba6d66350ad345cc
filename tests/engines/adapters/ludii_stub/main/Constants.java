package main;

public final class Constants {
    public static final int UNDEFINED = -1;
}
