import type { Middleware } from 'koa';

/** The reason for aborting work: the client has disconnected. */
export class ClientGone extends Error {
  constructor() {
    super('the client has disconnected');
    this.name = 'ClientGone';
  }
}

/** The status with which nginx logs a request whose client disconnected. It appears only in the log. */
export const CLIENT_GONE = 499;

/** Gives the request a signal that is aborted if the connection closes before the response is sent. */
export const watchClient: Middleware = (ctx, next) => {
  const gone = new AbortController();
  ctx.state['signal'] = gone.signal;
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) gone.abort(new ClientGone());
  });
  return next();
};
