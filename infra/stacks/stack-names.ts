/** The first part of all names of a stage; a copy may have another one. */
export function copyName(stage: string): string {
  return `payin-offramp-${stage}`;
}

export function operatorsStackName(copy: string): string {
  return `${copy}-operators`;
}

export function serviceStackName(copy: string): string {
  return `${copy}-service`;
}

export function dataStackName(copy: string): string {
  return `${copy}-data`;
}
