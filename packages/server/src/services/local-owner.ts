/** The setting that names the person at the machine. */
export const LOCAL_OWNER = 'local_owner_id';
