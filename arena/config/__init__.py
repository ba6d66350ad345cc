"""The files that users write: engine registries and tournament files. Reads them and reports what is wrong."""
