/**
 * Stands in for the SDK's credential chain in a bundle: a Lambda has its credentials in the environment, and the code
 * for profiles, single sign-on and instance metadata would be two fifths of the bundle.
 */
export function defaultProvider() {
  return async () => ({
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
    ...(process.env['AWS_SESSION_TOKEN'] && { sessionToken: process.env['AWS_SESSION_TOKEN'] }),
  });
}
