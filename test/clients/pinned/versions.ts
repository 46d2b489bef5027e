/**
 * Versions of what is not pinned in a file of its own: requirements.txt (Python), go.mod and go.sum (Go) and pom.xml
 * (Java) are beside this one.
 */
export const OPENAPI_PYTHON_CLIENT = '0.29.0';
export const OPENAPI_GENERATOR = '7.25.0';
/** SHA-256 of its jar, in hexadecimal digits. */
export const OPENAPI_GENERATOR_DIGEST = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
export const OAPI_CODEGEN = '2.8.2';
export const MAVEN_DEPENDENCY_PLUGIN = '3.8.1';
