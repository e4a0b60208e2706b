/**
 * The maximum length of a line, in bytes. Without this limit, a file without line ends would be read into memory as a
 * whole.
 */
export const LINE_BYTES_MAX = 1024 * 1024;
