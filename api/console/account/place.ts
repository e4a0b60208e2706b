/** The address of the page of the signed-in person. */
export const ACCOUNT = '/console/account';
