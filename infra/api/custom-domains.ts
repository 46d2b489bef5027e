import { CfnOutput, Stack } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointType,
  SecurityPolicy,
  type SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Domain, Settings } from '#infra/stage/settings.ts';

type MutualTls = NonNullable<Settings['mutualTls']>;

interface CustomDomainsProps {
  readonly restApi: SpecRestApi;
  /** The stage's domains by their names in the settings. */
  readonly domains: Readonly<Record<string, Domain | undefined>>;
  readonly mutualTls: MutualTls | undefined;
}

/**
 * The custom domains of an API; with a trust store, only clients with a certificate reach it. The outputs of the stack
 * are the targets for the DNS records.
 */
export class CustomDomains extends Construct {
  constructor(scope: Construct, id: string, { restApi, domains, mutualTls }: CustomDomainsProps) {
    super(scope, id);
    const stack = Stack.of(this);
    for (const [id, domain] of Object.entries(domains)) {
      if (domain === undefined) continue;
      const { name, certificateArn } = domain;
      const before = stack.node.findAll().filter((one) => one instanceof DomainName);
      const domainName = new DomainName(this, name, {
        domainName: name,
        certificate: Certificate.fromCertificateArn(this, `${name} certificate`, certificateArn),
        endpointType: EndpointType.REGIONAL,
        securityPolicy: SecurityPolicy.TLS_1_2,
        ...(mutualTls && { mtls: trustStore(this, name, mutualTls) }),
      });
      // API Gateway creates or changes one domain name per 30 seconds and refuses more, so they are made one after
      // another.
      domainName.node.addDependency(...before.slice(-1));
      new BasePathMapping(this, `${name} mapping`, { domainName, restApi, stage: restApi.deploymentStage });
      new CfnOutput(stack, `${id}Url`, { value: `https://${name}` });
      new CfnOutput(stack, `${id}DnsTarget`, { value: domainName.domainNameAliasDomainName });
      new CfnOutput(stack, `${id}DnsTargetZone`, { value: domainName.domainNameAliasHostedZoneId });
    }
  }
}

/** A resource policy that refuses all other addresses; an accepted caller still needs an access token. */
export function allowOnlyFrom(cidrBlocks: readonly string[]): PolicyDocument {
  const everything = {
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...everything, effect: Effect.ALLOW }),
      new PolicyStatement({
        ...everything,
        effect: Effect.DENY,
        conditions: { NotIpAddress: { 'aws:SourceIp': [...cidrBlocks] } },
      }),
    ],
  });
}

function trustStore(scope: Construct, name: string, { trustStore: address, version }: MutualTls) {
  const { hostname, pathname } = new URL(address);
  return { bucket: Bucket.fromBucketName(scope, `${name} trust store`, hostname), key: pathname.slice(1), version };
}
