/**
 * Versions of what is not pinned in a file of its own: requirements.txt (Python), go.mod and go.sum (Go) and pom.xml
 * (Java) are beside this one.
 */
export const OPENAPI_PYTHON_CLIENT = '0.29.0';
export const OPENAPI_GENERATOR = '7.25.0';
export const OAPI_CODEGEN = '2.8.2';
export const MAVEN_DEPENDENCY_PLUGIN = '3.8.1';
