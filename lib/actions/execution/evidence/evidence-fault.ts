/** What is wrong with a member of a document: where, and which rule. */
export type EvidenceFault = { pointer: string; code: string; message: string };
