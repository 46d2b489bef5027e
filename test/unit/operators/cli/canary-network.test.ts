import { EC2Client, type IpPermission } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { securityGroupFault } from '#infra/cli/canary-network.ts';

function vpcWith(rules: readonly IpPermission[], ofSubnet = 'vpc-1'): EC2Client {
  return Object.assign(new EC2Client({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: object }) =>
      'GroupIds' in input
        ? { SecurityGroups: [{ VpcId: 'vpc-1', IpPermissionsEgress: rules }] }
        : { Subnets: [{ SubnetId: 'subnet-1', VpcId: ofSubnet }] },
  });
}

const everything: IpPermission = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] };

test.each([
  ['lets everything out, as AWS makes it', vpcWith([everything]), undefined],
  ['lets HTTPS out', vpcWith([{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443 }]), undefined],
  ['lets nothing out', vpcWith([]), 'no rule of it lets TCP 443 out'],
  [
    'lets out what is no HTTPS',
    vpcWith([{ IpProtocol: 'tcp', FromPort: 5432, ToPort: 5432 }]),
    'no rule of it lets TCP 443 out',
  ],
  [
    'is of another VPC than its subnet',
    vpcWith([everything], 'vpc-2'),
    'it is of vpc-1, and the subnet subnet-1 of vpc-2: Lambda refuses the function',
  ],
])('a security group of the canary that %s', async (_, ec2, expected) => {
  expect(await securityGroupFault(ec2, { subnets: ['subnet-1'], securityGroup: 'sg-1' })).toBe(expected);
});
