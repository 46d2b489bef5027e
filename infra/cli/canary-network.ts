import { DescribeSecurityGroupsCommand, DescribeSubnetsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import type { Settings } from '#infra/stage/settings.ts';

/**
 * Why the canary cannot be deployed, or cannot call, with this security group: Lambda refuses one of another VPC than the
 * subnets.
 *
 * @throws when it is not in this account and region
 */
export async function securityGroupFault(
  ec2: EC2Client,
  { subnets, securityGroup }: NonNullable<Settings['canary']>,
): Promise<string | undefined> {
  const { SecurityGroups: [group] = [] } = await ec2.send(
    new DescribeSecurityGroupsCommand({ GroupIds: [securityGroup] }),
  );
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: subnets }));
  const elsewhere = Subnets.find(({ VpcId }) => VpcId !== group?.VpcId);
  if (elsewhere !== undefined)
    return `it is of ${group?.VpcId}, and the subnet ${elsewhere.SubnetId} of ${elsewhere.VpcId}: Lambda refuses the function`;
  const letsOut = (group?.IpPermissionsEgress ?? []).some(
    ({ IpProtocol, FromPort = 0, ToPort = 0 }) =>
      IpProtocol === '-1' || (IpProtocol === 'tcp' && FromPort <= HTTPS && HTTPS <= ToPort),
  );
  return letsOut ? undefined : `no rule of it lets TCP ${HTTPS} out`;
}

const HTTPS = 443;
