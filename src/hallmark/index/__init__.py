"""The local index of bibliographic records, itself a source."""
