// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// The token of the chain on this machine: an ERC-20 that may keep a fee of each transfer, and can pay many at once.
contract SampleToken {
    string public symbol;
    uint8 public immutable decimals;
    uint256 public immutable feePercent;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory symbol_, uint8 decimals_, uint256 feePercent_) {
        symbol = symbol_;
        decimals = decimals_;
        feePercent = feePercent_;
        balanceOf[msg.sender] = type(uint128).max;
        emit Transfer(address(0), msg.sender, type(uint128).max);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    /// One transfer of each token to each address; this contract needs the sender's allowance in each token.
    function payAll(SampleToken[] calldata tokens, address[] calldata to, uint256 value) external {
        for (uint256 i = 0; i < tokens.length; i++)
            for (uint256 j = 0; j < to.length; j++) tokens[i].transferFrom(msg.sender, to[j], value);
    }

    function move(address from, address to, uint256 value) private {
        uint256 arrives = value - (value * feePercent) / 100;
        balanceOf[from] -= value;
        balanceOf[to] += arrives;
        emit Transfer(from, to, arrives);
    }
}
