import { acceptedContent, fromJsonSchema, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { PNG } from './content-tools.ts';
import { ask } from './input-tools.ts';

const user = <Content>(content: Content) => ({ role: 'user' as const, content });
const text = (said: string) => user({ type: 'text' as const, text: said });

const taking = (...names: string[]) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, { type: 'string' as const, description: `The ${name}.` }]),
    ),
    required: names,
  });

export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing.' }, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Says what it is given.', argsSchema: taking('arg1', 'arg2') },
    ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Shows a resource.', argsSchema: taking('resourceUri') },
    ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource' as const,
          resource: {
            uri: resourceUri!,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        text('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows an image.' }, () => ({
    messages: [
      user({ type: 'image' as const, data: PNG, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, ({ mcpReq }) => {
    const reported = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (reported) return { messages: [text(`Use ${reported.context}.`)] };
    const user_context = ask('What context should the prompt use?', 'context');
    return inputRequired({ inputRequests: { user_context } });
  });
}
