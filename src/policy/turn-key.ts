/** Keys of the state that begin so count within one turn; a REQUEST, with which a turn begins, removes them. */
export const turnKeyPrefix = '_policy_turn:';
