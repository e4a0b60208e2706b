import { setTimeout as delay } from 'node:timers/promises';
import type { ContentBlock, McpServer, ServerContext } from '@modelcontextprotocol/server';

/** An image of one pixel. `WAV` is a silent sound. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const contents: Record<string, ContentBlock[]> = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ],
};

/** Registers tools that return each kind of content, fail, or report their progress. */
export function registerContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: 'Answers with content of a kind.' }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells its progress.' }, sendProgress);
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs its actions.' }, sendLog);
  }
}

async function sendProgress({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    if (progress < 100) await delay(50);
  }
  return { content: [{ type: 'text' as const, text: 'done' }] };
}

async function sendLog({ mcpReq }: ServerContext) {
  await mcpReq.log('info', 'Tool execution started');
  await delay(50);
  await mcpReq.log('info', 'Tool processing data');
  await delay(50);
  await mcpReq.log('info', 'Tool execution completed');
  return { content: [{ type: 'text' as const, text: 'done' }] };
}
