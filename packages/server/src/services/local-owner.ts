/** The setting with the id of the person at the machine. */
export const LOCAL_OWNER = 'local_owner_id';
