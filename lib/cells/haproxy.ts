import type { Directory } from './directory.ts';

/** A credential as the router sees it: the public part of an API key, or the id of an OAuth client, with its cell. */
export type RoutedCredential = { id: string; cell: string };

/** The names of the files, in the order in which HAProxy needs them. */
export const MAP = 'cells.map';
export const CONFIGURATION = 'haproxy.cfg';

/**
 * Returns the map from credentials to the backends of HAProxy, in the order of the credentials. Credentials of the default
 * cell need no line.
 */
export function mapOf(
  credentials: readonly RoutedCredential[],
  { default: usual }: Pick<Directory, 'default'>,
): string {
  return credentials
    .filter(({ cell }) => cell !== usual)
    .map(({ id, cell }) => `${id} ${backendOf(cell)}\n`)
    .sort()
    .join('');
}

type Options = {
  /** The address that the router listens on, such as `127.0.0.1:8080` or `:443 ssl crt /etc/assay.pem`. */
  bind: string;
  /** The folder of the map. */
  folder: string;
};

/**
 * Returns the configuration of HAProxy. A request goes to the cell of its credential: the first 19 characters of an API
 * key, which are its public part, or the client id in a request for a token. Any other request goes to the default cell.
 */
export function configurationOf(directory: Directory, { bind, folder }: Options): string {
  const backends = Object.entries(directory.cells).map(([name, { servers }]) =>
    [
      `backend ${backendOf(name)}`,
      '  balance leastconn',
      '  option httpchk GET /readyz',
      '  http-check expect status 200',
      ...servers.map((server, at) => `  server ${name}-${at + 1} ${server} check inter 2s`),
    ].join('\n'),
  );
  return `${[frontend(directory, { bind, folder }), ...backends].join('\n\n')}\n`;
}

const frontend = ({ default: usual }: Directory, { bind, folder }: Options) => `\
global
  log stdout format raw local0

defaults
  mode http
  log global
  option httplog
  option forwardfor
  timeout connect 5s
  timeout client 75s
  timeout server 75s
  timeout http-request 30s
  timeout http-keep-alive 60s

frontend assay
  bind ${bind}
  http-request deny deny_status 400 if { req.hdr_cnt(authorization) gt 1 }
  acl is_token_request path_beg /api/v2/oauth/
  http-request set-var(txn.credential) req.hdr(authorization),word(2,' '),bytes(0,19) if { req.hdr(authorization) -m beg -i "bearer svc_" }
  http-request set-var(txn.credential) req.hdr(authorization),word(2,' '),b64dec,word(1,:) if is_token_request { req.hdr(authorization) -m beg -i "basic " }
  http-request wait-for-body time 5s if is_token_request METH_POST
  http-request set-var(txn.credential) req.body_param(client_id) if is_token_request !{ var(txn.credential) -m found }
  http-request set-var(txn.cell) var(txn.credential),map_str(${folder}/${MAP},${backendOf(usual)})
  use_backend %[var(txn.cell)] if { var(txn.cell) -m found }
  default_backend ${backendOf(usual)}`;

function backendOf(cell: string): string {
  return `cell_${cell}`;
}
