package game.types.board;

public enum SiteType { Cell }
