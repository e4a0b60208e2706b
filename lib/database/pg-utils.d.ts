/** The driver's functions that its types do not declare. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** Converts a parameter to what PostgreSQL reads. */
    prepareValue(value: unknown): unknown;
  };
  export default utils;
}
