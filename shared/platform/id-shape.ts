/** Ids come from others too, and what is not shaped like one is not logged as one. */
export const ID_SHAPE = /^[\w:#.-]{1,100}$/;
