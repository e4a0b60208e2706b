import manifest from '../../package.json' with { type: 'json' };

/** The running version of Assay. */
export const version: string = manifest.version;
