/** A fault of a field in a document: its JSON pointer, the code of the rule, and a message. */
export type EvidenceFault = { pointer: string; code: string; message: string };
