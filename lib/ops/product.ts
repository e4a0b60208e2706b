import { defineProduct } from '#lib/core/product.ts';

/** The service itself: its HTTP requests, its health and its metrics. */
export const ops = defineProduct({
  folder: 'ops',
  prefixes: {
    request: 'req',
  },
  problems: {
    malformed_request: { status: 400, title: 'The request is not well-formed HTTP' },
    malformed_json: { status: 400, title: 'The body is not well-formed JSON' },
    malformed_header: { status: 400, title: 'A request header is not well-formed' },
    credential_in_query: { status: 400, title: 'A credential was sent in the URL' },
    not_found: { status: 404, title: 'The resource does not exist' },
    route_not_found: { status: 404, title: 'The path does not exist' },
    method_not_allowed: { status: 405, title: 'The path does not support this method' },
    request_timeout: { status: 408, title: 'The request did not arrive in time' },
    not_acceptable: { status: 406, title: 'The answer is not available in an accepted media type' },
    precondition_failed: { status: 412, title: 'The resource has changed since it was read' },
    body_too_large: { status: 413, title: 'The body is too large' },
    unsupported_media_type: { status: 415, title: 'The body has an unsupported media type' },
    validation_failed: { status: 422, title: 'The request is not valid' },
    invalid_cursor: { status: 422, title: 'The cursor is not valid for this list' },
    invalid_currency: { status: 422, title: 'The currency is not an active ISO 4217 currency' },
    invalid_amount: { status: 422, title: 'The amount is not a number' },
    amount_precision: { status: 422, title: 'The amount has more decimals than its currency' },
    amount_range: { status: 422, title: 'The amount is out of range' },
    amount_scale_mismatch: {
      status: 422,
      title: 'The amount scale does not match the number of decimals of the currency',
    },
    unexpected_body: { status: 422, title: 'The operation does not accept a request body' },
    headers_too_large: { status: 431, title: 'The request headers are too large' },
    internal_error: { status: 500, title: 'An unexpected error occurred' },
    dependency_unavailable: { status: 503, title: 'A service that Assay depends on is unavailable' },
  },
});
