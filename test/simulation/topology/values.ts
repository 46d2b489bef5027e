import * as z from 'zod/mini';

export const ACCOUNT = '000000000000';
export const REGION = 'in-memory-1';

const resource = z.object({ Type: z.string(), Properties: z._default(z.record(z.string(), z.unknown()), {}) });

export const template = z.object({
  Resources: z.record(z.string(), resource),
  Outputs: z._default(z.record(z.string(), z.object({ Value: z.unknown() })), {}),
});

export type Resource = z.infer<typeof resource>;

const reference = z.strictObject({ Ref: z.string() });
const attribute = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const joining = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });
const ofOtherStack = z.strictObject({ 'Fn::GetStackOutput': z.looseObject({ OutputName: z.string() }) });

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The service name in ARNs, by the type of a resource. */
const services: Readonly<Record<string, string>> = {
  'AWS::SQS::Queue': 'sqs',
  'AWS::Lambda::Function': 'lambda',
  'AWS::DynamoDB::GlobalTable': 'dynamodb',
  'AWS::Events::EventBus': 'events',
  'AWS::KMS::Key': 'kms',
};

/** Resolves values of all templates as the deployed resources would have them. Resources are named by logical id. */
export function createResolve(
  resources: ReadonlyMap<string, Resource>,
  outputs: ReadonlyMap<string, unknown>,
): (value: unknown) => string {
  const arnOf = (id: string) =>
    `arn:aws:${services[resources.get(id)?.Type ?? ''] ?? 'other'}:${REGION}:${ACCOUNT}:${id}`;
  const referred = (id: string): string => {
    const { Type = '' } = resources.get(id) ?? {};
    // An address where nobody listens: functions make a first call there while they start.
    if (Type === 'AWS::SQS::Queue') return `http://127.0.0.1:1/${ACCOUNT}/${id}`;
    return Type === 'AWS::StepFunctions::StateMachine' ? `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${id}` : id;
  };
  const resolve = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const ref = reference.safeParse(value);
    if (ref.success) return pseudo[ref.data.Ref] ?? referred(ref.data.Ref);
    const got = attribute.safeParse(value);
    if (got.success) return arnOf(got.data['Fn::GetAtt'][0]);
    const joined = joining.safeParse(value);
    if (joined.success) return joined.data['Fn::Join'][1].map(resolve).join(joined.data['Fn::Join'][0]);
    const other = ofOtherStack.parse(value);
    return resolve(outputs.get(other['Fn::GetStackOutput'].OutputName));
  };
  return resolve;
}

/** Returns the name at the end of an ARN or of a queue's URL. */
export function nameIn(address: string): string {
  return address.split(/[:/]/).at(-1) ?? address;
}
