import type { Middleware } from 'koa';

/** Why work was stopped: nobody is there any more to have its answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client has gone');
    this.name = 'ClientGone';
  }
}

/** Nginx's status for it, for the log alone. */
export const CLIENT_GONE = 499;

/** Gives the request a signal that is aborted when the connection closes before the answer was sent. */
export const watchClient: Middleware = (ctx, next) => {
  const gone = new AbortController();
  ctx.state['signal'] = gone.signal;
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) gone.abort(new ClientGone());
  });
  return next();
};
