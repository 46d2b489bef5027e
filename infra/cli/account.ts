import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client } from '@aws-sdk/client-ec2';
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { securityGroupFault } from './canary-network.ts';
import { defaultRouteOf } from './default-route.ts';
import type { Account } from './preflight-checks.ts';
import { quotasOf } from './service-quotas.ts';
import { loggingTrails } from './trails.ts';

/** The version parameter of modern bootstrapping with the default qualifier. */
const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';

/**
 * The account of the identity that deploys, as AWS reports it. Needs `ssm:GetParameter`,
 * `servicequotas:ListServiceQuotas`, `servicequotas:ListAWSDefaultServiceQuotas`, `cloudformation:DescribeStacks`,
 * after a restore `dynamodb:DescribeTable`, and in production `acm:DescribeCertificate`, `s3:GetObjectVersion`,
 * `sns:GetTopicAttributes`, `ec2:DescribeSubnets`, `ec2:DescribeRouteTables`, `ec2:DescribeSecurityGroups`,
 * `iam:GetRole`, `cloudtrail:DescribeTrails`, `cloudtrail:GetTrailStatus` and `cloudtrail:GetEventSelectors`.
 */
export function accountQuestions(dataStack: string, region: string, profile: string | undefined): Account {
  const config = { region, ...(profile !== undefined && { profile }) };
  const [sts, ssm, acm, s3] = [
    new STSClient(config),
    new SSMClient(config),
    new ACMClient(config),
    new S3Client(config),
  ];
  const [stacks, dynamo] = [new CloudFormationClient(config), new DynamoDBClient(config)];
  const [iam, trail] = [new IAMClient(config), new CloudTrailClient(config)];
  const [sns, quotas, ec2] = [new SNSClient(config), new ServiceQuotasClient(config), new EC2Client(config)];
  return {
    id: async () => (await sts.send(new GetCallerIdentityCommand({}))).Account ?? '',
    bootstrapVersion: async () =>
      Number((await ssm.send(new GetParameterCommand({ Name: BOOTSTRAP_PARAMETER }))).Parameter?.Value),
    quotas: (service, part) => quotasOf(quotas, service, part),
    async certificate(CertificateArn) {
      const { Certificate = {} } = await acm.send(new DescribeCertificateCommand({ CertificateArn }));
      const { Status = 'without a status', Type = 'of no type', SubjectAlternativeNames: names = [] } = Certificate;
      return { status: Status, type: Type, names };
    },
    async trustStore(Bucket, Key, VersionId) {
      await s3.send(new HeadObjectCommand({ Bucket, Key, VersionId }));
    },
    async topic(TopicArn) {
      const { Attributes = {} } = await sns.send(new GetTopicAttributesCommand({ TopicArn }));
      const { SubscriptionsConfirmed = 0, KmsMasterKeyId: key, Policy: policy = '' } = Attributes;
      return { confirmed: Number(SubscriptionsConfirmed), key, policy };
    },
    defaultRoute: (subnet) => defaultRouteOf(ec2, subnet),
    securityGroupFault: (canary) => securityGroupFault(ec2, canary),
    roleArn: async (RoleName) => (await iam.send(new GetRoleCommand({ RoleName }))).Role?.Arn ?? '',
    trails: () => loggingTrails(trail),
    async tablesInUse() {
      const { Stacks = [] } = await stacks.send(new DescribeStacksCommand({ StackName: dataStack })).catch(orNone);
      const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
      return outputs.flatMap(({ OutputKey, OutputValue = [] }) => (OutputKey?.endsWith('Table') ? OutputValue : []));
    },
    table: (name) => tableStateOf(dynamo, name),
  };
}

/** Returns ACTIVE, or the state of the table or index that is not: the service cannot read by an index being built. */
export async function tableStateOf(dynamo: DynamoDBClient, TableName: string): Promise<string> {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  const states = [Table?.TableStatus, ...(Table?.GlobalSecondaryIndexes ?? []).map((one) => one.IndexStatus)];
  return states.find((state) => state !== 'ACTIVE') ?? 'ACTIVE';
}

/** A stack does not exist before its first deployment. */
function orNone(error: unknown): { readonly Stacks?: never[] } {
  if (error instanceof Error && error.message.includes('does not exist')) return {};
  throw error;
}
