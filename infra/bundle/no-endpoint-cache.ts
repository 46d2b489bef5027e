/**
 * Stands in for the SDK's cache of discovered endpoints in a bundle: the DynamoDB client makes one and, as no command
 * of it discovers endpoints any more, never uses it.
 */
export class EndpointCache {}
