"""What files may say, key by key: engines, tournaments, ladders. Reads them and names what is wrong."""
