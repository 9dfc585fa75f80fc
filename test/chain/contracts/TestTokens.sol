// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An ERC-20 whose approve returns true.
abstract contract TrueToken {
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        receiveTokens(from, to, value);
        return true;
    }

    function receiveTokens(address from, address to, uint256 value) internal virtual {
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Six decimals, as USDC has.
contract StandardToken is TrueToken(6) {
    string public name = "Test USD Coin";
    string public symbol = "USDC";
}

/// Eighteen decimals, as most tokens have.
contract EighteenDecimalsToken is TrueToken(18) {}

/// A token that keeps one hundredth of each transfer.
contract FeeOnTransferToken is TrueToken(6) {
    function receiveTokens(address from, address to, uint256 value) internal override {
        uint256 fee = value / 100;
        balanceOf[to] += value - fee;
        totalSupply -= fee;
        emit Transfer(from, to, value - fee);
        emit Transfer(from, address(0), fee);
    }
}

/// A token that behaves like USDT on Ethereum: approve returns nothing, and a non-zero allowance
/// must be set to zero before it can be changed.
contract TetherLikeToken {
    string public name = "Test Tether USD";
    string public symbol = "USDT";
    uint256 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// A token that grants twice the requested allowance and reports that in its event.
contract LyingToken {
    uint8 public constant decimals = 6;
    mapping(address => mapping(address => uint256)) public allowance;

    event Approval(address indexed owner, address indexed spender, uint256 value);

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value * 2;
        emit Approval(msg.sender, spender, value * 2);
        return true;
    }
}

/// A token that refuses every approval with an error of its own, as one that is paused does.
contract PausedToken {
    uint8 public constant decimals = 6;
    mapping(address => mapping(address => uint256)) public allowance;

    error EnforcedPause();

    function approve(address, uint256) external pure returns (bool) {
        revert EnforcedPause();
    }
}

/// A token whose owner of the list can block accounts: a blocked one can neither approve nor be approved,
/// as with USDC. The error is one of its own.
contract BlocklistToken {
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public isBlocked;
    mapping(address => mapping(address => uint256)) public allowance;

    error Blocked(address account);

    event Approval(address indexed owner, address indexed spender, uint256 value);

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        if (isBlocked[msg.sender]) revert Blocked(msg.sender);
        if (isBlocked[spender]) revert Blocked(spender);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }
}

/// A token that refuses every approval with a text, as USDC does for an account on its blacklist.
contract RefusalTextToken {
    uint8 public constant decimals = 6;
    string private text;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(string memory text_) {
        text = text_;
    }

    function approve(address, uint256) external view returns (bool) {
        revert(text);
    }
}

/// A token whose approve fails with a division by zero.
contract BrokenToken {
    uint8 public constant decimals = 6;
    uint256 private zero;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function approve(address, uint256 value) external view returns (bool) {
        return value / zero > 0;
    }
}

/// A token that refuses an approval by returning false.
contract FalseToken {
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function approve(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// A smart account by ERC-1271: a signature of its owner is valid for the account.
contract SmartAccount {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
