/** A longer line is no row of ours; without a limit a file without line ends would be held in memory. */
export const LINE_BYTES_MAX = 1024 * 1024;
