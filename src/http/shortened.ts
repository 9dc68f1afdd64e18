const messageCharactersMax = 1000;

/**
 * GraphQL's messages repeat what they are about, which can be megabytes, and each of a hundred messages does so. The end says what would
 * be right.
 */
export function shortened(message: string): string {
  if (message.length <= messageCharactersMax) return message;
  return `${message.slice(0, 400)} … ${message.slice(-500)}`;
}
