/** The decision whether the credential may call the tool. */
export const invocationDecisions = ['allowed', 'denied'] as const;
export type InvocationDecision = (typeof invocationDecisions)[number];

/**
 * The outcome of a call. **tool_error**: the tool answered, and explains to the model what to change.
 * **protocol_error**: the call named an unknown tool.
 */
export const resultStatuses = ['ok', 'tool_error', 'protocol_error'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/**
 * The reason why a call was denied: the credential lacks the scope of the tool, the workspace is not entitled to the
 * tool, or the tool does not exist.
 */
export const denialCodes = ['insufficient_scope', 'entitlement_missing', 'unknown_tool'] as const;
export type DenialCode = (typeof denialCodes)[number];
