import * as z from 'zod/mini';
import { type StrictCondition, strictStatement } from '#infra/platform/strict-conditions.ts';

const document = z.object({
  Version: z.string(),
  Statement: z.array(
    z.looseObject({ Effect: z.string(), Action: z.union([z.string(), z.array(z.string())]), Resource: z.unknown() }),
  ),
});

/** The policy of a deployed function as it is with these conditions. */
export function strictPolicy(
  deployed: string,
  conditions: readonly StrictCondition[],
  tableArn: (condition: StrictCondition) => string,
): string {
  const { Version, Statement } = document.parse(JSON.parse(deployed));
  const isReplaced = (action: string, resource: unknown) =>
    conditions.some(
      (one) => one.keysLike !== undefined && action === `dynamodb:${one.action}` && resource === tableArn(one),
    );
  const kept = Statement.flatMap((statement) => {
    const left = [statement.Action].flat().filter((action) => !isReplaced(action, statement.Resource));
    return left.length === 0 ? [] : [{ ...statement, Action: left }];
  });
  const strict: unknown[] = conditions.map((one) => strictStatement(one, tableArn(one)).toStatementJson());
  return JSON.stringify({ Version, Statement: [...kept, ...strict] });
}
