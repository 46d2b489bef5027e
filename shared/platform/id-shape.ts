/** Ids come from other services too: a text that does not look like an id is not logged as one. */
export const ID_SHAPE = /^[\w:#.-]{1,100}$/;
