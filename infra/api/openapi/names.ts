/** `create-payin` and `USER_NOT_FOUND` become `CreatePayin` and `UserNotFound`. */
export function pascalCase(name: string): string {
  return name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `create-payin` becomes `createPayin`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}
