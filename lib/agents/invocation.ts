/** Whether the credential may call the tool. */
export const invocationDecisions = ['allowed', 'denied'] as const;
export type InvocationDecision = (typeof invocationDecisions)[number];

/**
 * **tool_error** is an answer that explains to the model what to change. **protocol_error** is a call of an
 * unknown tool.
 */
export const resultStatuses = ['ok', 'tool_error', 'protocol_error'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/**
 * Why a call was denied: the credential lacks the scope of the tool, the workspace is not entitled to it, or
 * there is no such tool.
 */
export const denialCodes = ['insufficient_scope', 'entitlement_missing', 'unknown_tool'] as const;
export type DenialCode = (typeof denialCodes)[number];
