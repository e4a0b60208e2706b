import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { PNG } from './content-tools.ts';

const TEXT = 'This is the content of the static text resource.';

export function registerResources(server: McpServer): void {
  const plain = (name: string, mimeType: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { description: `The ${name}.`, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  plain('static-text', 'text/plain', { text: TEXT });
  plain('static-binary', 'image/png', { blob: PNG });
  plain('watched-resource', 'text/plain', { text: 'Watched.' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id.', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
