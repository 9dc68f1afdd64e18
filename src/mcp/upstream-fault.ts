/** The MCP server could not be started, or has ended. The message is one line. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
}
