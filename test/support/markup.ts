import { HtmlValidate } from 'html-validate';

/**
 * The rules of the HTML standard and of accessible forms. The rules about style are off: templates leave spaces, and
 * browsers do not need them removed.
 */
const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: { 'no-trailing-whitespace': 'off', 'no-inline-style': 'error', 'no-dup-id': 'error' },
});

/** Returns the faults in the markup of a page, each with its rule and its line. */
export async function markupFaults(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}, line ${line}: ${message}`),
  );
}
